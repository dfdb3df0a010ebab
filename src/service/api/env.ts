import type { OpenAPIHono } from '@hono/zod-openapi';

/** What a request carries beside itself, once the middleware has seen it. */
export interface ServiceEnv {
  Variables: { requestId: string; key: string; organisation: string };
}

export type ServiceApp = OpenAPIHono<ServiceEnv>;
