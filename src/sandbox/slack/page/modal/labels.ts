/** What connects an input with its label, its hint and its error. */
export interface FieldLabels {
  id: string;
  /** Id of the written label. */
  labelledBy: string | undefined;
  /** Where no label is written. */
  label: string | undefined;
  describedBy: string | undefined;
  isInvalid: boolean;
  isOptional: boolean;
}

/** The attributes that say so. */
export function ariaOf({ labelledBy, label, describedBy, isInvalid }: FieldLabels) {
  return {
    'aria-labelledby': labelledBy,
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid || undefined,
  };
}
