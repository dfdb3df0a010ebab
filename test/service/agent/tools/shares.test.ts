import { expect, it } from 'vitest';
import { labelsIn } from '../../../../src/service/agent/catalog/labels.ts';

const LABELS = {
  job: ['oven', 'till'],
  flavour: ['rye', 'wheat'],
  tenant: ['north', 'south'],
  status_code: ['200', '503'],
  shop: ['one'],
};

it.each([
  ['is it one flavour or all of them?', ['flavour']],
  ['which flavours are hit?', ['flavour']],
  ['only one customer or everyone', ['tenant']],
  ['by status code', ['status_code']],
  ['is it only rye', ['flavour']],
  ['is it only oven', []],
  ['which shop fails?', []],
])(
  'a question asks for a label by its name, by what people call it, or by a value: %s',
  (question, labels) => {
    expect(labelsIn(question, LABELS)).toEqual(labels);
  },
);
