// `@langchain/langgraph/web`: there, the main entry without AsyncLocalStorage. This engine has no such part.
export * from './main.js';
