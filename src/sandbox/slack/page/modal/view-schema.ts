import { z } from 'zod';
import { text } from '../blocks/schema.ts';

const label = text.transform(({ text: words }) => words);

/** The words around a modal's body; what is missing or malformed is as if the app had not given it. */
export const viewFrame = z.object({
  title: label.catch(''),
  submit: label.nullable().catch(null).default(null),
  close: label.nullable().catch(null).default(null),
});
