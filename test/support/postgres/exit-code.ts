import { startPostgres } from './server.ts';

// A program of its own: starts and stops a server, and fails.

const { server } = await startPostgres();
await server.stop();
process.exitCode = 3;
