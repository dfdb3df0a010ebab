import type { Block } from '../../entities.ts';
import type { Home } from '../../validate/view.ts';
import type { ViewValues } from '../modal/views.ts';

/** The app's Home as one person sees it. */
export interface HomeView {
  id: string;
  user: string;
  hash: string;
  home: Home;
  blocks: Block[];
  /** What every element holds now. */
  values: ViewValues;
}
