import { z } from 'zod';
import type { Alert } from '../alerts/types.ts';

const words = z.string().nullable();

const values = z.array(z.object({ key: z.string(), text: z.string() }));

/** An alert as it is stored with its decision. */
export const StoredAlert = z.object({
  kind: z.enum(['firing', 'resolved', 'not_an_alert']),
  format: z.string(),
  title: words,
  description: words,
  severity: z.enum(['low', 'medium', 'high']).nullable(),
  environment: words,
  service: words,
  triggeredAt: words,
  alertUrl: words,
  runbookUrl: z.string().exactOptional(),
  host: words,
  region: words,
  version: words,
  traceId: words,
  spanId: words,
  errorType: words,
  errorMessage: words,
  tags: z.array(z.string()),
  fingerprint: words,
  basis: z
    .object({
      source: z.string(),
      of: z.array(z.string()),
      by: values,
      left: values,
      isStated: z.literal(true).exactOptional(),
    })
    .exactOptional(),
  isNameless: z.literal(true).exactOptional(),
  isContradicted: z.literal(true).exactOptional(),
}) satisfies z.ZodType<Alert>;
