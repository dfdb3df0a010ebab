import { z } from 'zod';
import { cutAtWord } from '../../../../lib/text.ts';
import { canonicalEnvironment } from '../../../alerts/identity.ts';
import { type SettingsForm, settingsBounds } from '../../../render/settings/settings-modal.ts';
import { patternsIn, patternsProblem } from '../../../settings/patterns.ts';
import type { ChannelSettings } from '../../../store/channel-settings.ts';

/** Slack shows more, but nobody reads it. */
const MAX_ERROR = 300;

/** Error messages by field, for the acknowledgement. */
type FieldErrors = Record<string, string>;

/** A channel's settings, as the modal shows them. */
export function formOf(settings: ChannelSettings): SettingsForm {
  return {
    ...settings,
    include: settings.include.join('\n'),
    exclude: settings.exclude.join('\n'),
    environment: settings.environment ?? '',
    budgetIssues: String(settings.budget.issues),
    budgetMinutes: String(settings.budget.minutes),
    coolDownMinutes: String(settings.coolDownMinutes),
  };
}

const typed = z.looseObject({ value: z.string().nullish() }).transform(({ value }) => value ?? '');
const checked = z
  .looseObject({ selected_options: z.array(z.unknown()).nullish() })
  .transform(({ selected_options }) => (selected_options ?? []).length > 0);

function chosen<const T extends string>(values: readonly T[]) {
  return z
    .looseObject({ selected_option: z.looseObject({ value: z.enum(values) }) })
    .transform(({ selected_option }) => selected_option.value);
}

const severity = chosen(['low', 'medium', 'high']);

/** `view.state.values`: each field is the only element of its block. */
const Fields = z
  .record(z.string(), z.record(z.string(), z.unknown()))
  .transform((blocks) =>
    Object.fromEntries(Object.entries(blocks).map(([name, elements]) => [name, Object.values(elements)[0]])),
  );

const Form: z.ZodType<SettingsForm> = Fields.pipe(
  z.object({
    mode: chosen(['automatic', 'suggest']),
    people: checked,
    include: typed,
    exclude: typed,
    minimumSeverity: severity,
    environment: typed,
    defaultSeverity: severity,
    onRecovery: chosen(['note', 'resolve']),
    budgetIssues: typed,
    budgetMinutes: typed,
    coolDownMinutes: typed,
    broadcast: checked,
  }),
);

/** Reads the user's input from `view.state.values`. */
export function readForm(values: unknown): SettingsForm {
  return Form.parse(values);
}

/** The settings that a form describes, or its errors by field. */
export function settingsOf(form: SettingsForm): { settings: ChannelSettings } | { errors: FieldErrors } {
  const { mode, people, minimumSeverity, defaultSeverity, onRecovery, broadcast } = form;
  const errors: FieldErrors = {};
  const patterns = (name: 'include' | 'exclude') => {
    const lines = patternsIn(form[name]);
    const problem = patternsProblem(lines);
    if (problem !== null) errors[name] = cutAtWord(problem, MAX_ERROR);
    return lines;
  };
  const whole = (name: keyof typeof settingsBounds) => {
    const { min, max } = settingsBounds[name];
    const n = /^\d{1,6}$/u.test(form[name].trim()) ? Number(form[name]) : Number.NaN;
    if (!(n >= min && n <= max)) errors[name] = `Enter a whole number from ${min} to ${max}.`;
    return n;
  };
  const settings = {
    mode,
    people,
    minimumSeverity,
    defaultSeverity,
    onRecovery,
    broadcast,
    include: patterns('include'),
    exclude: patterns('exclude'),
    environment: canonicalEnvironment(form.environment) || null,
    budget: { issues: whole('budgetIssues'), minutes: whole('budgetMinutes') },
    coolDownMinutes: whole('coolDownMinutes'),
  };
  return Object.keys(errors).length > 0 ? { errors } : { settings };
}
