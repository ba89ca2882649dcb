import type { StepPolicy } from '../workflows/messages.js';
import type { Settings } from './settings.js';

export const stepPolicyOf = (settings: Settings): StepPolicy => ({
  startToCloseMs: settings.stepTimeoutSeconds * 1_000,
  heartbeatTimeoutMs: settings.heartbeatTimeoutSeconds * 1_000,
});
