// The JavaScript reference server with the same graphs, as a process of its own: `node --import tsx reference-server.ts PORT FOLDER`.
import { join } from 'node:path';
import { startServer } from '@langchain/langgraph-api/server';

const [port, folder] = process.argv.slice(2);
const names = ['one', 'chain10', 'events', 'cancel', 'ask'];
const path = join(import.meta.dirname, 'graphs', 'reference.ts');
process.chdir(folder ?? '.');
await startServer({
  port: Number(port),
  host: '127.0.0.1',
  nWorkers: 10,
  cwd: process.cwd(),
  graphs: Object.fromEntries(names.map((name) => [name, `${path}:${name}`])),
});
