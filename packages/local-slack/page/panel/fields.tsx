import { useEffect, useRef, useState } from 'react';
import type { PageOutcome } from '../../src/page-api.ts';
import type { PagePanel } from '../../src/page-panel.ts';
import { degradations, listed } from '../model/panel.ts';
import { Icon } from '../ui/basics.tsx';

interface SelectProps {
  label: string;
  options: readonly { id: string; name: string; isDisabled?: boolean }[];
  value: string;
  isBusy?: boolean;
  onSelect: (id: string) => void;
}

/** A labeled drop-down. */
export function SelectField({ label, options, value, isBusy, onSelect }: SelectProps) {
  return (
    <label className="panel-field">
      <span>{label}</span>
      <select
        className="control"
        value={value}
        aria-busy={isBusy}
        onChange={(change) => onSelect(change.target.value)}
      >
        {options.map(({ id, name, isDisabled }) => (
          <option key={id} value={id} disabled={isDisabled}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ListProps {
  label: string;
  hint: string;
  value: readonly string[];
  onChange: (value: string[]) => Promise<PageOutcome>;
}

/** A list typed as text, sent on Enter or when the field loses focus. Rejected input stays, so that it can be corrected. */
export function ListField({ label, hint, value, onChange }: ListProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const actions = usePanelActions();
  const shown = value.join(', ');
  const send = () => {
    if (typed === null) return;
    const next = listed(typed);
    if (next.join(', ') === shown) return setTyped(null);
    const call = async () => {
      const outcome = await onChange(next);
      if (outcome.ok) setTyped((now) => (now === typed ? null : now));
      return outcome;
    };
    actions.run({ label, busyLabel: '', doneMessage: '', call });
  };
  return (
    <div className="fault">
      <label className="panel-field">
        <span>{label}</span>
        <input
          className="control"
          autoComplete="off"
          spellCheck={false}
          placeholder={hint}
          value={typed ?? shown}
          aria-busy={actions.pending.size > 0}
          onChange={(change) => setTyped(change.target.value)}
          onKeyDown={(key) => key.key === 'Enter' && send()}
          onBlur={send}
        />
      </label>
      <ActionResult result={actions.result} />
    </div>
  );
}

interface PanelButtonProps {
  panel: PagePanel | null;
  isOpen: boolean;
  onToggle: () => void;
}

/** Opens the panel, and shows what is degraded, so that nobody wonders why things fail. */
export function PanelButton({ panel, isOpen, onToggle }: PanelButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    const focused = document.activeElement;
    // The focused element disappears with the panel.
    const isLost = focused === document.body || focused?.closest('#control-panel') != null;
    if (wasOpen.current && !isOpen && isLost) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const lines = panel === null ? [] : degradations(panel);
  return (
    <div className="panel-foot">
      <button
        ref={button}
        type="button"
        className="plain"
        aria-expanded={isOpen}
        aria-controls={isOpen ? 'control-panel' : undefined}
        onClick={onToggle}
      >
        <Icon name="play" />
        Scenarios
      </button>
      <div role="status" aria-label="Degraded parts">
        {lines.map((line) => (
          <p key={line} className="trouble">
            {line}
          </p>
        ))}
      </div>
    </div>
  );
}

/** Something that a button or field of the panel does, with its labels before, during and after. */
interface PanelAction {
  label: string;
  busyLabel: string;
  /** Empty if the effect is visible anyway. */
  doneMessage: string;
  call: () => Promise<PageOutcome>;
}

/** The state of a group of actions. */
export interface PanelActions {
  /** Labels of the actions that have not been answered yet. */
  pending: ReadonlySet<string>;
  /** How the last action ended; `null` before the first, and while the next one is pending. */
  result: { isOk: boolean; text: string } | null;
  /** Does nothing while the same action is pending. */
  run(action: PanelAction): void;
}

export function usePanelActions(): PanelActions {
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set());
  const [result, setResult] = useState<PanelActions['result']>(null);
  const run = async ({ label, doneMessage, call }: PanelAction) => {
    setResult(null);
    setPending((labels) => new Set(labels).add(label));
    const outcome = await call();
    setPending((labels) => new Set([...labels].filter((other) => other !== label)));
    setResult(outcome.ok ? { isOk: true, text: doneMessage } : { isOk: false, text: outcome.error });
  };
  return {
    pending,
    result,
    run: (action) => {
      if (!pending.has(action.label)) void run(action);
    },
  };
}

/** How the last action ended. The empty element is there from the start, so that screen readers announce the text. */
export function ActionResult({ result }: Pick<PanelActions, 'result'>) {
  return (
    <p className={result?.isOk === false ? 'action-result failure' : 'action-result'} role="status">
      {result?.text}
    </p>
  );
}

interface ButtonProps {
  action: PanelAction;
  actions: PanelActions;
  /** Accessible name, where several buttons share a label. */
  name?: string;
  /** Why the button is disabled, as a sentence. */
  disabledReason?: string | null;
  style?: 'primary' | 'danger';
}

/** A button that shows when it is busy. It stays focusable while disabled, and says why it is. */
export function ActionButton({ action, actions, name, disabledReason = null, style }: ButtonProps) {
  const isBusy = actions.pending.has(action.label);
  const isEnabled = disabledReason === null && !isBusy;
  return (
    <button
      type="button"
      className={`button ${style ?? ''}`}
      aria-label={isBusy ? undefined : name}
      aria-busy={isBusy}
      aria-disabled={!isEnabled}
      aria-description={disabledReason ?? undefined}
      title={disabledReason ?? undefined}
      onClick={() => isEnabled && actions.run(action)}
    >
      {isBusy ? action.busyLabel : action.label}
    </button>
  );
}

interface SwitchProps {
  label: string;
  isOn: boolean;
  /** What toggling does now. */
  action: Omit<PanelAction, 'label'>;
}

/** A switch with its label. */
export function Switch({ label, isOn, action }: SwitchProps) {
  const actions = usePanelActions();
  const isBusy = actions.pending.has(label);
  return (
    <>
      <button
        type="button"
        role="switch"
        className="switch"
        aria-checked={isOn}
        aria-busy={isBusy}
        aria-disabled={isBusy}
        onClick={() => actions.run({ label, ...action })}
      >
        <span>{isBusy ? action.busyLabel : label}</span>
        <i />
      </button>
      <ActionResult result={actions.result} />
    </>
  );
}
