// Assistants: the graphs of the config, each with an assistant of its own.
import { Router } from 'express';
import type { ServerContext } from '../context.js';
import { parse } from '../parse.js';
import { assistantCount, assistantParams, assistantSearch } from '../schemas/assistants.js';
import { assistantNotFound } from '../errors.js';
import { assistantView } from '../views/assistant-view.js';
import { paginate, selectFields, withOneMore } from '../views/page.js';

export const assistantRoutes = (context: ServerContext): Router =>
  Router()
    .post('/assistants/search', async (req, res) => {
      const { select, ...search } = parse(assistantSearch, req.body);
      const found = paginate(res, await context.assistants.search(withOneMore(search)), search);
      res.json(found.map((assistant) => selectFields(assistantView(assistant), select)));
    })
    .post('/assistants/count', async (req, res) => {
      res.json(await context.assistants.count(parse(assistantCount, req.body)));
    })
    .get('/assistants/:assistant_id', async (req, res) => {
      const { assistantId } = parse(assistantParams, req.params);
      const assistant = await context.assistants.get(assistantId);
      if (assistant === null) throw assistantNotFound(assistantId, context.graphs.names);
      res.json(assistantView(assistant));
    });
