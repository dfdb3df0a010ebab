import { optionUse } from './option-use.ts';
import type { StaticSelectElement } from './schema.ts';
import type { ElementProps } from './use.ts';

/** A list to choose one option of. */
export function StaticSelect({ element, isBusy, onUse }: ElementProps<StaticSelectElement>) {
  const { placeholder, options, option_groups: groups, initial_option: initial } = element;
  const all = [...options, ...groups.flatMap((group) => group.options)];
  const label = placeholder?.text ?? 'Choose an option';
  const choose = (value: string) => {
    const option = all.find((candidate) => candidate.value === value);
    if (option) onUse(optionUse(option));
  };
  const entries = (list: typeof options) =>
    list.map((option) => (
      <option key={option.value} value={option.value}>
        {option.text.text}
      </option>
    ));
  return (
    <select
      className="button select"
      aria-label={label}
      disabled={isBusy}
      defaultValue={initial?.value ?? ''}
      onChange={(change) => choose(change.target.value)}
    >
      <option value="" disabled>
        {label}
      </option>
      {entries(options)}
      {groups.map((group) => (
        <optgroup key={group.label.text} label={group.label.text}>
          {entries(group.options)}
        </optgroup>
      ))}
    </select>
  );
}
