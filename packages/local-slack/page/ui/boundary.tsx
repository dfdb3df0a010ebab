import { Component, type ReactNode } from 'react';

interface Props {
  /** The subject of the drawing; when it changes, drawing is tried again. */
  subject: unknown;
  children: ReactNode;
  fallback: ReactNode;
}

interface BoundaryState {
  failed: boolean;
  subject: unknown;
}

/** Shows `fallback` where drawing `children` throws: one message's fault stays its own. */
export class Boundary extends Component<Props, BoundaryState> {
  override state: BoundaryState = { failed: false, subject: this.props.subject };

  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { failed: true };
  }

  static getDerivedStateFromProps(props: Props, state: BoundaryState): BoundaryState | null {
    return props.subject === state.subject ? null : { failed: false, subject: props.subject };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
