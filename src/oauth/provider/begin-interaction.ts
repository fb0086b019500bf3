// A new interaction: its cookie, the log-in that it came with, and the URL of its pages.
import type { KoaContextWithOIDC } from 'oidc-provider'
import { continueDeviceLogIn, type DeviceLogIns } from '../device/device-log-in.ts'
import { rememberInteraction } from '../interaction/interaction-cookies.ts'
import { pageOf } from '../interaction/interaction-state.ts'

type Interaction = Parameters<typeof continueDeviceLogIn>[2]

export function beginInteractions({ device_log_ins }: { device_log_ins: DeviceLogIns }) {
  return async (ctx: KoaContextWithOIDC, interaction: Interaction): Promise<string> => {
    rememberInteraction(ctx, interaction)
    await continueDeviceLogIn(device_log_ins, ctx, interaction)
    return pageOf(interaction)
  }
}
