import { useState } from 'react';
import type { PageOutcome } from '../../src/page-api.ts';

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
