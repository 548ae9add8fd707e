// Short messages about what was just done. What needs an answer is a dialog, not a toast.

export interface Toast {
  id: number;
  text: string;
  tone: 'good' | 'bad';
}

class Toasts {
  list = $state<Toast[]>([]);
}

export const toasts = new Toasts();
let next = 1;

/** Says something for a few seconds; what went wrong stays until it is closed. */
export function say(text: string, tone: Toast['tone'] = 'good'): void {
  const toast = { id: next++, text, tone };
  toasts.list = [...toasts.list.slice(-3), toast];
  if (tone === 'good') setTimeout(() => hush(toast.id), 5000);
}

/** Takes a message away. */
export function hush(id: number): void {
  toasts.list = toasts.list.filter((toast) => toast.id !== id);
}
