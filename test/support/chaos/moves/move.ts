import type { Driver } from '../driver.ts';

/** One thing that a person or a tool does. */
export interface Move {
  name: string;
  /** How often it is made, beside the others. */
  weight: number;
  /** Whether it comes to nothing while the program is away. */
  needsProgram: boolean;
  /** Does it, or nothing where there is nothing to do it to; resolves when Slack's side is done. */
  make(driver: Driver): Promise<void>;
}
