import { z } from 'zod';

/** What the modals about an issue remember. */
export const AboutIssue = z.object({ issueId: z.string(), channel: z.string() });

/** What was typed or chosen in a modal, by block and element. */
export const ChosenValues = z.record(
  z.string(),
  z.record(
    z.string(),
    z.looseObject({
      value: z.string().nullish(),
      selected_option: z.looseObject({ value: z.string() }).nullish(),
    }),
  ),
);
