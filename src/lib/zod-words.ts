import { z } from 'zod';

/**
 * What is wrong with a field, for whoever sent it: words that are read behind the field's name. They take the place of
 * zod's own in the whole process; a schema's own words come first.
 */
z.config({ localeError: (issue) => wrongWith(issue) });

type Issue = z.core.$ZodRawIssue;

function wrongWith(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing';
      // A number that is not whole, or none at all (NaN), is of the kind that is wanted.
      return `must be ${TYPES[issue.expected] ?? issue.expected}${typeof issue.input === 'number' && issue.expected !== 'string' ? '' : `, not ${kindOf(issue.input)}`}`;
    case 'too_small':
      return Number(issue.minimum) === 1 && issue.origin in UNITS
        ? 'must not be empty'
        : `must ${bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is missing' : `must be ${oneOf(issue.values)}`;
    case 'invalid_format':
      return FORMATS[issue.format] === undefined
        ? 'does not have the expected form'
        : `must be ${FORMATS[issue.format]}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `has fields that are not known: ${issue.keys.slice(0, MOST_NAMED).join(', ')}`;
    case 'invalid_union':
      return issue.input === undefined ? 'is missing' : 'has none of the accepted forms';
    default:
      return 'is not valid';
  }
}

const MOST_NAMED = 10;

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a time',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address',
  url: 'an address such as https://example.com',
  uuid: 'a UUID',
  datetime: 'a time such as 2026-03-17T12:00:00Z',
  date: 'a date such as 2026-03-17',
};

/** What is counted of a value that has a length. */
const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item' };

function bound(origin: string, relation: string, limit: number | bigint): string {
  const unit = UNITS[origin];
  return unit === undefined
    ? `be ${relation} ${limit}`
    : `have ${relation} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`;
}

function oneOf(values: readonly unknown[]): string {
  const shown = values.map(String);
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} or ${last}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return TYPES.array ?? '';
  const type = typeof value;
  return (type === 'boolean' ? 'a boolean' : TYPES[type]) ?? type;
}
