import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const loopback = '127.0.0.1';

/** Linux's own first port for outgoing connections, where it does not say: ip(7), `ip_local_port_range`. */
const usualOutgoing = 32_768;
/** How many ports below it are drawn from. */
const quietPorts = 12_000;
const lowestPort = 2_000;
const attempts = 50;

/** `preferred` where nobody listens on it, any free port otherwise. Someone may still take it before it is used. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await bind(preferred)) !== undefined) return preferred;
  // Below the ports from which outgoing connections are given theirs: one of those could take ours before it is used.
  const to = firstOutgoingPort();
  const from = Math.max(lowestPort, to - quietPorts);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const quiet = await bind(from + Math.floor(Math.random() * Math.max(1, to - from)));
    if (quiet !== undefined) return quiet;
  }
  const port = await bind(0);
  if (port === undefined) throw new Error('This machine has no free TCP port.');
  return port;
}

export async function isFree(port: number): Promise<boolean> {
  return (await bind(port)) !== undefined;
}

function firstOutgoingPort(): number {
  try {
    const first = Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10);
    return Number.isInteger(first) ? first : usualOutgoing;
  } catch {
    return usualOutgoing; // No Linux.
  }
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
