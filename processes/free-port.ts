import { createServer } from 'node:net';

const loopback = '127.0.0.1';

/** Below the ports from which outgoing connections are given theirs, one of which could take ours before it is used. */
const quietPorts = { from: 20_000, to: 32_000 };
const attempts = 50;

/** `preferred` where nobody listens on it, any free port otherwise. Someone may still take it before it is used. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await bind(preferred)) !== undefined) return preferred;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const quiet = await bind(quietPorts.from + Math.floor(Math.random() * (quietPorts.to - quietPorts.from)));
    if (quiet !== undefined) return quiet;
  }
  const port = await bind(0);
  if (port === undefined) throw new Error('This machine has no free TCP port.');
  return port;
}

export async function isFree(port: number): Promise<boolean> {
  return (await bind(port)) !== undefined;
}

/** @returns the bound port, let go again; undefined where it is taken. */
function bind(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: loopback, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}
