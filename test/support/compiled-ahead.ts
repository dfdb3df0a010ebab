import { flushCompileCache } from 'node:module';
// The whole program, the workspace and the service, as the flows run them.
import './program.ts';

// What `compile-ahead.ts` starts.
flushCompileCache();
process.exit();
