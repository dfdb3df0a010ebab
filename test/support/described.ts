import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';

/** An answer of the service, as it came over HTTP. */
export interface SeenAnswer {
  method: string;
  /** Below the base path, without the query. */
  path: string;
  status: number;
  headers: Headers;
  text: string;
}

/** Holds what goes over the wire against `openapi.json`. */
export interface Description {
  /** Everything in which an answer is not as described; empty where it is. */
  faults(answer: SeenAnswer): string[];
  /** Whether an operation takes this body, such as `post` of `/issues`. */
  takes(method: string, template: string, body: unknown): boolean;
}

const Media = z.record(z.string(), z.unknown());
const Response = z.object({
  headers: z.record(z.string(), z.unknown()),
  content: Media.optional(),
});
const Operation = z.object({ responses: z.record(z.string(), Response) });
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
});

/** What may be answered where no operation is: on an unknown path (404) or with a wrong method (405). */
const OUTSIDE = [400, 401, 404, 405, 413, 429];

/** Reads one `openapi.json`. Fields that it does not describe are faults too. */
export function describedBy(openapi: unknown): Description {
  const { paths } = Document.parse(openapi);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const document = z.record(z.string(), z.unknown()).parse(openapi);
  ajv.addSchema(document, 'requests').addSchema(closed(document), 'answers');
  const templates = Object.keys(paths).map((template) => ({ template, pattern: patternOf(template) }));
  const validator = (which: 'requests' | 'answers', pointer: string): ValidateFunction => {
    const validate = ajv.getSchema(encodeURI(`${which}#${pointer}`));
    if (!validate) throw new Error(`openapi.json has no ${pointer}.`);
    return validate;
  };
  const faultsOf = (pointer: string, body: unknown): string[] => {
    const validate = validator('answers', pointer);
    return validate(body) ? [] : [ajv.errorsText(validate.errors)];
  };

  const faults = ({ method, path, status, headers, text }: SeenAnswer): string[] => {
    const template = templates.find(({ pattern }) => pattern.test(path))?.template;
    const operation = paths[template ?? '']?.[method.toLowerCase()];
    const id = headers.get('x-request-id');
    const media = headers.get('content-type')?.split(';')[0] ?? null;
    const found: string[] = [];
    if (status >= 400 && requestIdOf(text) !== id) found.push('request_id is not X-Request-Id');

    if (template === undefined || !operation) {
      const odd = template === undefined ? 405 : 404;
      if (!OUTSIDE.includes(status) || status === odd) found.push(`${status} outside of the operations`);
      if (id === null) found.push('X-Request-Id is missing');
      if (status === 405 && !headers.has('allow')) found.push('Allow is missing');
      return [...found, ...faultsOf('/components/schemas/ErrorBody', parsed(text))];
    }

    const response = operation.responses[status];
    if (!response) return [...found, `the status ${status} is not described`];
    for (const name of Object.keys(response.headers)) {
      if (!headers.has(name)) found.push(`${name} is missing`);
    }
    if (!response.content) return text === '' ? found : [...found, 'there is a body'];
    if (media === null || !(media in response.content)) return [...found, `${media} is not described`];
    const pointer = pointerTo(
      template,
      method.toLowerCase(),
      'responses',
      `${status}`,
      'content',
      media,
      'schema',
    );
    return [...found, ...faultsOf(pointer, media === 'application/json' ? parsed(text) : text)];
  };

  const takes = (method: string, template: string, body: unknown): boolean => {
    const pointer = pointerTo(template, method, 'requestBody', 'content', 'application/json', 'schema');
    return validator('requests', pointer)(body) === true;
  };
  return { faults, takes };
}

function pointerTo(template: string, ...parts: string[]): string {
  return `/paths/${[template, ...parts].map((part) => part.replaceAll('/', '~1')).join('/')}`;
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}/gu, '[^/]+')}$`, 'u');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function requestIdOf(text: string): string | undefined {
  return z.looseObject({ request_id: z.string() }).safeParse(parsed(text)).data?.request_id;
}

/** The same with every object closed that lists its fields, unless it says otherwise. */
function closed(value: unknown): Record<string, unknown> {
  const close = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(close);
    if (typeof part !== 'object' || part === null) return part;
    const inner = Object.fromEntries(Object.entries(part).map(([key, item]) => [key, close(item)]));
    const lists = inner.type === 'object' && 'properties' in inner && !('additionalProperties' in inner);
    return lists ? { ...inner, additionalProperties: false } : inner;
  };
  return z.record(z.string(), z.unknown()).parse(close(value));
}
