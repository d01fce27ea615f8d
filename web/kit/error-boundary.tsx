import { Component, type ComponentChildren } from "preact";

interface ErrorBoundaryProps {
  /** What is drawn in the place of the screen that broke. */
  fallback: (error: unknown) => ComponentChildren;
  children: ComponentChildren;
}

/** A screen that breaks while it is drawn must not leave a blank page behind. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state = { error: null as unknown };

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  render() {
    return this.state.error === null ? this.props.children : this.props.fallback(this.state.error);
  }
}
