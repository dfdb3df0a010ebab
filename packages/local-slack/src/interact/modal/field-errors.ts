import type { Element } from '../elements.ts';
import type { ElementState, ViewValues } from './state.ts';

const REQUIRED = 'Please complete this required field.';

const limit = (value: unknown): number | undefined => (value === undefined ? undefined : Number(value));

function textError({ fields }: Element, value: string): string | undefined {
  const { length } = value;
  const least = limit(fields.min_length) ?? 0;
  const most = limit(fields.max_length) ?? Number.POSITIVE_INFINITY;
  if (length < least) return `Please enter at least ${least} characters.`;
  return length > most ? `Please enter at most ${most} characters.` : undefined;
}

function numberError({ fields }: Element, value: string): string | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(value)) return 'Please enter a number.';
  const number = Number(value);
  if (fields.is_decimal_allowed !== true && value.includes('.')) return 'Please enter a whole number.';
  const least = limit(fields.min_value) ?? Number.NEGATIVE_INFINITY;
  const most = limit(fields.max_value) ?? Number.POSITIVE_INFINITY;
  if (number < least) return `Please enter a number of at least ${least}.`;
  return number > most ? `Please enter a number of at most ${most}.` : undefined;
}

function urlError(_: Element, value: string): string | undefined {
  const url = URL.parse(value);
  const isLink = url !== null && ['http:', 'https:'].includes(url.protocol);
  return isLink ? undefined : 'Please enter a valid URL, with https:// before it.';
}

function emailError(_: Element, value: string): string | undefined {
  return /^[^\s@]+@[^\s@]+$/.test(value) ? undefined : 'Please enter a valid e-mail address.';
}

const TEXT_CHECKS: Readonly<Record<string, (element: Element, value: string) => string | undefined>> = {
  plain_text_input: textError,
  number_input: numberError,
  url_text_input: urlError,
  email_text_input: emailError,
};

function fieldError(element: Element, { type: _, ...held }: ElementState): string | undefined {
  const [value] = Object.values(held);
  if (value === null || (Array.isArray(value) && value.length === 0)) {
    return element.input?.optional ? undefined : REQUIRED;
  }
  const most = limit(element.fields.max_selected_items);
  if (Array.isArray(value) && most !== undefined && value.length > most)
    return `Please choose at most ${most}.`;
  return typeof value === 'string' ? TEXT_CHECKS[element.type]?.(element, value) : undefined;
}

/** What Slack itself finds wrong with a form before it sends it to the app, by `block_id`. */
export function fieldErrors(elements: readonly Element[], values: ViewValues): Record<string, string> {
  return Object.fromEntries(
    elements.flatMap((element) => {
      const state = values[element.block_id]?.[element.action_id];
      const words = element.input && state ? fieldError(element, state) : undefined;
      return words === undefined ? [] : [[element.block_id, words]];
    }),
  );
}
