// Prints the workflow bundle. In a process of its own: within Jest's module registry the bundler takes minutes.
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const [, , workflowsPath] = process.argv;
const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
process.stdout.write(code);
