import { expect, test } from '@jest/globals';
import { connect } from '../../../processes/commands/connection.js';
import { UsageError } from '../../../processes/commands/usage-error.js';

test.each(['nonsense', '', 'localhost:2024', 'ftp://host'])('an address of the service cannot be %j', (url) => {
  expect(() => connect({ url })).toThrow(UsageError);
  expect(() => connect({ url })).toThrow(`--url (SUPERSTEP_URL): expected an http or https address, got "${url}".`);
});

test.each(['http://localhost:2024', 'https://host/prefix/'])('an address of the service can be %s', (url) => {
  expect(() => connect({ url })).not.toThrow();
});
