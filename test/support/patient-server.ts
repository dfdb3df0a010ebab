import { createServer, type RequestListener, type Server } from 'node:http';

/**
 * Longer than any client keeps an idle connection. With Node's five seconds, a machine that is busy for a few of them
 * closes a connection just as a request is sent on it, and the request fails with an unknown outcome.
 */
const KEEP_ALIVE_MS = 65_000;

/** A server that leaves it to its clients to close what is idle. */
export function patientServer(listener: RequestListener): Server {
  return createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, listener);
}
