import fc from 'fast-check';
import { checkModal } from 'local-slack';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { clean } from '../../../../src/bot/render/escape.ts';
import { promptModal } from '../../../../src/bot/render/results/prompt-modal.ts';
import { anyText } from '../../../support/arbitrary-views.ts';
import { runs } from '../../../support/property-runs.ts';

const Plain = z.looseObject({
  type: z.literal('section'),
  text: z.object({ type: z.literal('plain_text'), text: z.string() }),
});

/** The parts of the prompt as they are shown. */
function parts(prompt: string): string[] {
  return promptModal({ number: 12, action: '', prompt }).blocks.flatMap((block) => {
    const { success, data } = Plain.safeParse(block);
    return success ? [data.text.text] : [];
  });
}

it('a prompt stands in the modal exactly as it is', () => {
  expect(parts('Roll <back> & *look*.\n  - twice')).toEqual(['Roll <back> & *look*.\n  - twice']);
});

it('a long prompt goes on in further parts, cut at the end of a line', () => {
  const line = 'x'.repeat(1_999);
  expect(parts([line, line, 'end'].join('\n'))).toEqual([line, `${line}\nend`]);
});

it('whatever a prompt says, Slack takes the modal, and nothing of it is lost', () => {
  const prompts = fc.array(anyText, { minLength: 1, maxLength: 6 }).map((some) => some.join('\n'));
  fc.assert(
    fc.property(prompts, anyText, (prompt, action) => {
      const modal = promptModal({ number: null, action, prompt });
      expect(() => checkModal(JSON.parse(JSON.stringify(modal)))).not.toThrow();
      const words = (text: string) => text.replace(/\s/gu, '');
      expect(words(parts(prompt).join(''))).toBe(words(clean(prompt)));
    }),
    { numRuns: runs(200), endOnFailure: true },
  );
});
