// Threads: the rows. Their state has a file of its own.
import { Router } from 'express';
import { v7 as uuidv7 } from 'uuid';
import type { ServerContext } from '../context.js';
import { ServiceError, threadNotFound } from '../errors.js';
import { parse } from '../parse.js';
import { threadParams } from '../schemas/common.js';
import { threadCount, threadCreate, threadPatch, threadSearch } from '../schemas/threads.js';
import { paginate, selectFields, withOneMore } from '../views/page.js';
import { threadView } from '../views/thread-view.js';

export const threadRoutes = (context: ServerContext): Router =>
  Router()
    .post('/threads', async (req, res) => {
      const { threadId = uuidv7(), metadata, ifExists, supersteps } = parse(threadCreate, req.body);
      if (supersteps.length > 0) {
        throw new ServiceError(
          'UNSUPPORTED_FIELD',
          'supersteps is not supported yet: create the thread, then post its state.',
          {
            field: 'supersteps',
          },
        );
      }
      const created = await context.threads.create({ threadId, metadata, ifExists });
      if (created.kind === 'conflict') {
        throw new ServiceError(
          'THREAD_EXISTS',
          `Thread already exists: ${threadId}. Send if_exists "do_nothing" to get it.`,
          {
            field: 'thread_id',
          },
        );
      }
      res.json(threadView(created.thread));
    })
    .post('/threads/search', async (req, res) => {
      const { select, ...search } = parse(threadSearch, req.body);
      const found = paginate(res, await context.threads.search(withOneMore(search)), search);
      res.json(found.map((thread) => selectFields(threadView(thread), select)));
    })
    .post('/threads/count', async (req, res) => {
      res.json(await context.threads.count(parse(threadCount, req.body)));
    })
    .get('/threads/:thread_id', async (req, res) => {
      const { threadId } = parse(threadParams, req.params);
      const thread = await context.threads.get(threadId);
      if (thread === null) throw threadNotFound(threadId);
      res.json(threadView(thread));
    })
    .patch('/threads/:thread_id', async (req, res) => {
      const { threadId } = parse(threadParams, req.params);
      const { metadata } = parse(threadPatch, req.body);
      const thread = await context.threads.patchMetadata(threadId, metadata);
      if (thread === null) throw threadNotFound(threadId);
      if (req.get('prefer')?.includes('return=minimal')) res.status(204).end();
      else res.json(threadView(thread));
    })
    .delete('/threads/:thread_id', async (req, res) => {
      const { threadId } = parse(threadParams, req.params);
      // Stopped first: a superstep that goes on would find its run gone, and its nodes would have worked for nothing.
      for (const run of await context.runs.listInflight(threadId)) await context.control.cancel(run, 'interrupt');
      if (!(await context.threads.delete(threadId))) throw threadNotFound(threadId);
      res.status(204).end();
    });
