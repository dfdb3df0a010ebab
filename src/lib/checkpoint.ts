/**
 * Called at each named step between a delivery and what people see. Does nothing in production; a test kills the process
 * there, to show that nothing is lost and nothing happens twice (DESIGN section 5).
 */
export type Checkpoint = (name: string) => Promise<void> | void;

export const noCheckpoint: Checkpoint = () => undefined;
