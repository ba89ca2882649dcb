// XXH3-128 as 32 hex digits: what interrupt ids and cache keys are.
import { createXXHash128 } from 'hash-wasm';

const hasher = await createXXHash128();

export function xxh3(text: string): string {
  hasher.init();
  hasher.update(text);
  return hasher.digest('hex');
}
