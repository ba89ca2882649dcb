// The HTTP listener: which port, and how it ends.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OperatorError } from './operator-error.js';

/** As LangGraph's dev server. */
const usualPort = 2024;
/** How many ports above the usual one are tried before giving up. */
const portsTried = 50;
/** How long an idle connection stays open for the next request; longer than the 60 s of common load balancers. */
const keepAliveMs = 65_000;
/** Requests that are still running after this are cut off. */
const drainMs = 5_000;

export interface Listener {
  /** As a client on this machine writes it. */
  readonly url: string;
  /** Refuses new connections, lets running requests end, cuts off what is left after {@link drainMs}. */
  close(): Promise<void>;
}

/**
 * Listens on `port`, or, when none was asked for, on 2024 or the next free one.
 * @throws OperatorError when the port is taken or the address is not this machine's.
 */
export async function listen(app: RequestListener, host: string, port: number | undefined): Promise<Listener> {
  const server = createServer(app);
  server.keepAliveTimeout = keepAliveMs;
  server.requestTimeout = 0; // A long upload is no fault; a run's stream lasts as long as the run.
  for (let candidate = port ?? usualPort; ; candidate += 1) {
    const code = await bind(server, host, candidate);
    if (code === undefined) return listener(server, host);
    const another = port === undefined && code === 'EADDRINUSE' && candidate < usualPort + portsTried;
    if (!another) throw refused(host, candidate, code);
  }
}

function bind(server: Server, host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message);
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      resolve(undefined);
    });
  });
}

function refused(host: string, port: number, code: string): OperatorError {
  if (code === 'EADDRINUSE') {
    return new OperatorError(
      `Port ${port} on ${host} is taken. Stop what uses it, or choose another with --port (or PORT); without either the next free one is used.`,
    );
  }
  if (code === 'EACCES')
    return new OperatorError(`Port ${port} needs rights that this user lacks. Choose one over 1023.`);
  return new OperatorError(`Cannot listen on ${host}, port ${port}: ${code}. Is HOST an address of this machine?`);
}

function listener(server: Server, host: string): Listener {
  const { port } = server.address() as AddressInfo;
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  const close = async () => {
    const cutOff = setTimeout(() => server.closeAllConnections(), drainMs);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
    clearTimeout(cutOff);
  };
  return { url: `http://${shown}:${port}`, close };
}
