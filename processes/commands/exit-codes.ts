/** What a command's exit code says, for scripts. `superstep --help` shows these. */
export const EXIT = {
  success: 0,
  /** The run ended in an error. */
  failed: 1,
  /** The command line, or what it names, is wrong: nothing was done. */
  usage: 2,
  /** The run waits for a person. */
  waits: 3,
  /** The service cannot be reached or went away for too long. The run, if there is one, goes on. */
  unreachable: 4,
  /** The run was cancelled. */
  cancelled: 5,
  /** Ctrl-C: the run goes on. */
  detached: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_HELP = `
Exit codes: 0 success, 1 the run failed, 2 wrong usage, 3 the run waits for a person, 4 the service cannot be reached,
            5 the run was cancelled, 130 detached by Ctrl-C (the run goes on).`;
