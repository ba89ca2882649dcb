// How commands find the service.
import { Option, type Command } from 'commander';
import { DEFAULT_API_URL, SuperstepClient } from '../../client/index.js';
import { UsageError } from './usage-error.js';

export interface ConnectionOptions {
  readonly url: string;
  readonly apiKey?: string;
}

/** 5 s apart at most: a service may take five minutes to come back before a command gives up. */
const ATTEMPTS = 60;

export function addConnectionOptions(command: Command): Command {
  return command
    .addOption(new Option('--url <url>', 'address of the service').env('SUPERSTEP_URL').default(DEFAULT_API_URL))
    .addOption(new Option('--api-key <key>', 'key that the service wants').env('SUPERSTEP_API_KEY').hideHelp());
}

/**
 * @param attempts of reconnecting and of repeating a read; few where nothing is under way yet.
 * @throws UsageError for an address that is none.
 */
export function connect({ url, apiKey }: ConnectionOptions, attempts = ATTEMPTS): SuperstepClient {
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    throw new UsageError(`--url (SUPERSTEP_URL): expected an http or https address, got "${url}".`);
  }
  return new SuperstepClient({ apiUrl: url, reconnect: { attempts }, ...(apiKey !== undefined && { apiKey }) });
}
