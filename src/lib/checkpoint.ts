/**
 * Called at each named moment on the way from a delivery to what people see. Does nothing in production;
 * a test ends the process there, to show that nothing is lost and nothing done twice (DESIGN section 5).
 */
export type Checkpoint = (name: string) => Promise<void> | void;

export const noCheckpoint: Checkpoint = () => undefined;
