import type { Option } from './schema.ts';
import type { Use } from './use.ts';

/** A chosen option, as Slack's `selected_option` names it. */
export function optionUse({ text, value }: Option): Use {
  return { selected_option: { text, ...(value === undefined ? {} : { value }) } };
}
