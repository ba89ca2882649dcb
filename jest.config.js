/** Two projects: `unit` runs in this process, `service` starts the real server, worker, Temporal and Postgres. */
const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^superstep$': '<rootDir>/graph-core/index.ts',
    '^superstep/client$': '<rootDir>/client/index.ts',
    '^superstep/(.*)$': '<rootDir>/graph-core/entries/$1.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};

export default {
  // Ends a test that waits for ever; no test is about how fast the machine is. Jest heeds it here, not in a project.
  testTimeout: 60_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/tests/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '/dist/', '<rootDir>/tests/service/', '<rootDir>/tests/faults/'],
    },
    { ...shared, displayName: 'service', testMatch: ['<rootDir>/tests/service/**/*.test.ts'] },
    { ...shared, displayName: 'faults', testMatch: ['<rootDir>/tests/faults/**/*.test.ts'] },
  ],
};
