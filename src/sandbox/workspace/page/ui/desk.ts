import { createContext, useContext } from 'react';
import type { PageMessage, PageState } from '../../page-api.ts';
import type { Click } from '../api.ts';

/** What every part of the page may need: the workspace, who acts, and what they can do. */
export interface Desk {
  workspace: PageState;
  /** Id of the user whom the person acts as. */
  as: string;
  /** Both resolve when the server has answered; what went wrong is shown in the banner, and the answer is `false`. */
  click(message: PageMessage, click: Click): Promise<boolean>;
  submit(typed: string, channel: string, thread: string | null): Promise<boolean>;
  openThread(message: PageMessage): void;
}

export const DeskContext = createContext<Desk | null>(null);

export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error('A part of the page stands outside <DeskContext>.');
  return desk;
}
