import { startPostgres } from './server.ts';

// A program of its own: starts and stops a server, and ends with the code in its argument.

const { server } = await startPostgres();
await server.stop();
process.exitCode = Number(process.argv[2]);
