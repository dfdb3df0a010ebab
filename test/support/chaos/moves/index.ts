import { alertMoves } from './alerts.ts';
import { askingMoves } from './asking.ts';
import { deletingMoves } from './deleting.ts';
import type { Move } from './move.ts';
import { pressingMoves } from './pressing.ts';
import { requestMoves } from './requests.ts';
import { settingsMoves } from './settings.ts';

/** Everything that the driver does. */
export const moves: readonly Move[] = [
  ...alertMoves,
  ...askingMoves,
  ...requestMoves,
  ...pressingMoves,
  ...deletingMoves,
  ...settingsMoves,
];
