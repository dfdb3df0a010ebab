import { expect, it } from 'vitest';
import { z } from 'zod';
import { decodeStored } from '../../src/lib/decode-stored.ts';

const Thing = z.object({ name: z.string() });

it('what is kept as JSON is read as it was written', () => {
  expect(decodeStored(Thing, '{"name":"a","more":1}')).toEqual({ name: 'a' });
});

it.each(['', '{', 'null', '[]', '{"name":7}', '{"name":"cut'])('%j, which is damaged, is nothing', (json) => {
  expect(decodeStored(Thing, json)).toBeNull();
});
