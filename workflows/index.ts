// The workflow bundle's entry: its exports are the workflow types, under the names that messages.ts gives.
export { sweep } from './sweep.js';
export { thread } from './thread.js';
