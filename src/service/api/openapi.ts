import type { OpenAPIHono } from '@hono/zod-openapi';
import { SERVICE_VERSION } from '../schema/primitives.ts';
import type { ServiceApp } from './env.ts';

type Description = ReturnType<OpenAPIHono['getOpenAPI31Document']>;
type ParameterObject = NonNullable<NonNullable<Description['components']>['parameters']>[string];

const text = { type: 'string' } as const;
const REQUEST_ID = { description: 'Names the request, also in an error body', required: true, schema: text };

/** Headers in answers with this status, besides `X-Request-Id`. */
const HEADERS_OF: Readonly<Record<string, Record<string, object>>> = {
  401: { 'WWW-Authenticate': { required: true, schema: text } },
  429: {
    'Retry-After': {
      description: 'Seconds until the key may ask again',
      required: true,
      schema: { type: 'integer', minimum: 1 },
    },
  },
};

const SERVICE_VERSION_PARAMETER = {
  name: 'Service-Version',
  in: 'header',
  required: false,
  description: 'The version that the request is written for; without it, the latest',
  schema: { type: 'string', enum: [SERVICE_VERSION] },
} satisfies ParameterObject;

/**
 * The OpenAPI 3.1 document: every route from its validation schemas, plus what the middleware adds to all of them
 * (contract, sections 5 and 9).
 */
export function describeApi(api: ServiceApp, basePath: string): Description {
  const document = api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Issue Investigation Service', version: SERVICE_VERSION },
    servers: [{ url: basePath }],
    security: [{ apiKey: [] }],
  });
  document.components = {
    ...document.components,
    securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
    parameters: { ServiceVersion: SERVICE_VERSION_PARAMETER },
    headers: { RequestId: REQUEST_ID },
  };
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of [path.get, path.post, path.patch, path.delete]) {
      if (!operation) continue;
      operation.parameters = [
        ...(operation.parameters ?? []),
        { $ref: '#/components/parameters/ServiceVersion' },
      ];
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        response.headers = {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          ...HEADERS_OF[status],
        };
      }
    }
  }
  return document;
}
