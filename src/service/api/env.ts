import type { OpenAPIHono } from '@hono/zod-openapi';

/** Request state set by the middleware. */
export interface ServiceEnv {
  Variables: { requestId: string; key: string; organisation: string };
}

export type ServiceApp = OpenAPIHono<ServiceEnv>;
