import { Component, type ReactNode } from "react";
import { FailurePage } from "./Failure";

/** Outside the router: even when that breaks, people get words and a way on instead of a blank page. */
export class LastResort extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <FailurePage error={this.state.error} retry={() => window.location.reload()} />;
  }
}
