// Assistants: the graphs of the config, each with an assistant of its own.
import { Router } from 'express';
import { CompiledStateGraph, type CompiledGraph } from '../../graph-core/index.js';
import { findAssistant } from '../accept-run.js';
import type { ServerContext } from '../context.js';
import { parse } from '../parse.js';
import { assistantCount, assistantParams, assistantSearch, graphQuery } from '../schemas/assistants.js';
import { noSuchAssistant } from '../errors.js';
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
      if (assistant === null) throw noSuchAssistant(assistantId);
      res.json(assistantView(assistant));
    })
    .get('/assistants/:assistant_id/graph', async (req, res) => {
      const assistant = await findAssistant(context, parse(assistantParams, req.params).assistantId);
      const { xray } = parse(graphQuery, req.query);
      const graph: CompiledGraph = await context.graphs.get(assistant.graphId, assistant.config);
      const drawing = graph instanceof CompiledStateGraph ? graph.getGraph({ xray }) : graph.getGraph();
      res.json(drawing.toJSON());
    });
