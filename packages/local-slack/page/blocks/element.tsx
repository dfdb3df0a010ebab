import { useContext, useState } from 'react';
import { FormContext } from '../modal/form.ts';
import { inputElement } from '../modal/input-schema.ts';
import { LooseInput } from '../modal/loose-input.tsx';
import { Button } from './button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { FeedbackButtons } from './feedback-buttons.tsx';
import { IconButton } from './icon-button.tsx';
import { Overflow } from './overflow.tsx';
import { type InteractiveElement as Element, interactiveElement } from './schema.ts';
import { type ElementProps, type Use, useInteraction } from './use.ts';

interface Props {
  element: unknown;
  blockId: string;
}

/** An element that can be clicked; its value is part of the form around it. */
export function InteractiveElement({ element, blockId }: Props) {
  const form = useContext(FormContext);
  const input = inputElement.safeParse(element);
  if (form && input.success) return <LooseInput form={form} element={input.data} blockId={blockId} />;
  const parsed = interactiveElement.safeParse(element);
  if (parsed.success) return <Clickable element={parsed.data} blockId={blockId} />;
  return <span className="unknown-element">An element that this page cannot show</span>;
}

/** Asks for confirmation where the element wants one, and is busy until the click is answered. */
function Clickable({ element, blockId }: { element: Element; blockId: string }) {
  const interact = useInteraction();
  const [isBusy, setBusy] = useState(false);
  const [asking, setAsking] = useState<Use | null>(null);
  const { action_id, confirm, type } = element;
  const send = async (use: Use) => {
    setAsking(null);
    setBusy(true);
    await interact({ block_id: blockId, action_id, ...use }, type);
    setBusy(false);
  };
  const onUse = (use: Use) => (confirm ? setAsking(use) : void send(use));
  return (
    <>
      <ElementOfType element={element} isBusy={isBusy} onUse={onUse} />
      {asking !== null && confirm !== undefined && (
        <ConfirmDialog
          confirm={confirm}
          onConfirm={() => void send(asking)}
          onCancel={() => setAsking(null)}
        />
      )}
    </>
  );
}

function ElementOfType({ element, ...rest }: ElementProps<Element>) {
  switch (element.type) {
    case 'button':
      return <Button element={element} {...rest} />;
    case 'overflow':
      return <Overflow element={element} {...rest} />;
    case 'feedback_buttons':
      return <FeedbackButtons element={element} {...rest} />;
    case 'icon_button':
      return <IconButton element={element} {...rest} />;
  }
}
