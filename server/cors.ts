// CORS as LangGraph's dev server has it: any origin. Preflights are answered here, before authentication, and every
// other answer, a 401 included, carries the header that lets a page read it.
import cors from 'cors';
import type { RequestHandler } from 'express';
import { ERROR_CODE_HEADER } from './error-responses.js';

/** Headers that a browser client must be able to read: how it finds its run again, and how it pages. */
const EXPOSED = ['content-location', 'location', 'x-pagination-total', 'x-pagination-next', ERROR_CODE_HEADER];

export const allowCrossOrigin = (): RequestHandler =>
  cors({
    origin: '*',
    methods: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS'],
    exposedHeaders: EXPOSED,
    maxAge: 600,
  });
