// Modal dialog, and one that confirms an irreversible action by typing the name of its object.
import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, useRef, useState } from 'react'
import { common } from '../../messages/common-texts.ts'
import { Field } from '../field.tsx'
import { FormButtons } from '../forms/form-buttons.tsx'
import { Icon } from '../icon.tsx'
import { ErrorNotice } from '../notice.tsx'
import { popupClass, usePopupContainer } from './popups.tsx'

type Props = {
  open: boolean
  onClose: () => void
  title: string
  description?: string
  /** If false, only a button in the content closes the dialog. */
  isDismissible?: boolean
  /** Whether the dialog is wide enough for a table. */
  wide?: boolean
  children: ReactNode
}

export function Dialog({
  open,
  onClose,
  title,
  description,
  isDismissible = true,
  wide = false,
  children,
}: Props) {
  const container = usePopupContainer()
  const content = useRef<HTMLDivElement>(null)
  return (
    <Base.Root
      open={open}
      onOpenChange={(isOpen) => {
        if (!isOpen && isDismissible) onClose()
      }}
    >
      <Base.Portal container={container}>
        <Base.Backdrop forceRender className="fixed inset-0 z-40 bg-scrim" />
        <Base.Popup
          initialFocus={(by) => by === 'touch' || (firstControl(content.current) ?? true)}
          className={`${popupClass} fixed top-1/2 left-1/2 z-40 flex max-h-[85dvh] w-[calc(100vw-2rem)] ${wide ? 'max-w-2xl' : 'max-w-md'} -translate-x-1/2 -translate-y-1/2 flex-col gap-4 overflow-y-auto p-6`}
        >
          <div className="flex items-start justify-between gap-4">
            <Base.Title className="text-lg font-semibold">{title}</Base.Title>
            {isDismissible && (
              <Base.Close
                className="rounded-md p-1 text-muted hover:bg-sunken"
                aria-label={common.close}
              >
                <Icon name="close" />
              </Base.Close>
            )}
          </div>
          {description && <Base.Description className="text-muted">{description}</Base.Description>}
          <div ref={content} className="contents">
            {children}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/**
 * The control that gets the focus, in place of the close button, unless a touch opened the dialog:
 * focus would then open the keyboard.
 */
function firstControl(content: HTMLElement | null): HTMLElement | null {
  return (
    content?.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea, button') ??
    null
  )
}

type Confirm = Omit<Props, 'children'> & {
  /** The name that the user types, character by character. */
  name: string
  action: string
  busy?: boolean
  /** The error of the action, which is shown above the field. */
  error?: unknown
  onConfirm: () => void
}

export function ConfirmDialog({
  name,
  action,
  busy = false,
  error,
  onConfirm,
  ...dialog
}: Confirm) {
  const [typed, setTyped] = useState('')
  return (
    <Dialog {...dialog}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() === name && !busy) onConfirm()
        }}
      >
        {error !== null && error !== undefined && <ErrorNotice error={error} />}
        <Field
          label={common.confirm(name)}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <FormButtons
          isDanger
          action={action}
          busy={busy}
          disabled={typed.trim() !== name}
          onCancel={dialog.onClose}
        />
      </form>
    </Dialog>
  )
}
