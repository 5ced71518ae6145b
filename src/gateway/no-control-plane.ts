// Stands where a control plane is missing in the configuration: every call is refused as unavailable, nothing is pretended.
import type { ControlPlane } from '../control-plane/control-plane.ts';
import { UpstreamFailure } from './upstream-failure.ts';

export class NoControlPlane implements ControlPlane {
  createCall(): Promise<never> {
    return refuse();
  }
  getCall(): Promise<never> {
    return refuse();
  }
  syncCall(): Promise<never> {
    return refuse();
  }
  cancelCall(): Promise<never> {
    return refuse();
  }
  ready(): Promise<never> {
    return refuse();
  }
}

async function refuse(): Promise<never> {
  throw new UpstreamFailure('control_plane_unavailable', 'no control plane is configured', { retry: 'safe' });
}
