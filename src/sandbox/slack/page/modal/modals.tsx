import type { PageView } from '../../page-api.ts';
import { Modal } from './modal.tsx';

/** The open modals of the person who acts, each over the one before; only the last is seen. */
export function Modals({ views }: { views: readonly PageView[] }) {
  return views.map((view, index) => (
    <Modal key={view.id} view={view} depth={index} isOnTop={index === views.length - 1} />
  ));
}
