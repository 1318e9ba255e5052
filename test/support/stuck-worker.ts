/** A thread that never gets to take its task. */
for (;;);
