import { z } from 'zod';
import { LIMITS } from '../limits.ts';

/** A string of 1 to `max` characters. */
export const line = (max: number) => z.string().min(1).max(max);

/** A `plain_text` object of at most `max` characters. */
export const plainText = (max: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: line(max), emoji: z.boolean().optional() });

/** A `mrkdwn` object of at most `max` characters. */
export const mrkdwn = (max: number) =>
  z.strictObject({ type: z.literal('mrkdwn'), text: line(max), verbatim: z.boolean().optional() });

/** Either text object. */
export const anyText = (max: number) => z.discriminatedUnion('type', [plainText(max), mrkdwn(max)]);

export const blockId = z.string().max(LIMITS.blockId).optional();
export const actionId = z.string().max(LIMITS.actionId).optional();
export const placeholder = plainText(LIMITS.placeholder).optional();

/** The question asked before an element acts. */
export const confirm = z
  .strictObject({
    title: plainText(LIMITS.confirmTitle),
    text: anyText(LIMITS.confirmText),
    confirm: plainText(LIMITS.confirmButton),
    deny: plainText(LIMITS.confirmButton),
    style: z.enum(['primary', 'danger']).optional(),
  })
  .optional();

const optionFields = {
  value: line(LIMITS.option),
  description: anyText(LIMITS.option).optional(),
};

/** An option of a select or an overflow menu. */
export const option = z.strictObject({
  text: plainText(LIMITS.option),
  ...optionFields,
  url: line(LIMITS.url).optional(),
});

/** An option of checkboxes or radio buttons, which may be formatted. */
export const choice = z.strictObject({ text: anyText(LIMITS.option), ...optionFields });

export const optionGroup = z.strictObject({
  label: plainText(LIMITS.option),
  options: z.array(option).min(1).max(LIMITS.options),
});
