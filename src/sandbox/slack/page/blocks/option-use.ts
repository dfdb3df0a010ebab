import type { Option } from './schema.ts';

/** A chosen option, as Slack's `selected_option` names it. */
export function optionUse({ text, value }: Option): Pick<Option, 'text'> & { value?: string } {
  return { text, ...(value === undefined ? {} : { value }) };
}
