package app.keyfold.mail;

import android.content.Intent;
import android.os.Build;
import android.os.Bundle;
import android.view.WindowManager;
import com.getcapacitor.BridgeActivity;

/**
 * The one screen: Capacitor's, with two things that no plugin does. What other programs share is handed on as an address
 * (SharedLetter), and the list of recent programs shows nothing of a mailbox.
 */
public class MainActivity extends BridgeActivity {

    @Override
    protected void onCreate(Bundle savedInstanceState) {
        // A screen that Android restores, or that is opened from the list of recent programs, brings its old intent along.
        boolean isOld =
            savedInstanceState != null || (getIntent().getFlags() & Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY) != 0;
        setIntent(isOld ? new Intent(Intent.ACTION_MAIN) : SharedLetter.toAddress(getIntent(), getPackageName()));
        super.onCreate(savedInstanceState);
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU) setRecentsScreenshotEnabled(false);
    }

    @Override
    protected void onNewIntent(Intent intent) {
        super.onNewIntent(SharedLetter.toAddress(intent, getPackageName()));
    }

    // Before Android 13 a window that is not to be seen in that list must be secret while it is left.
    @Override
    public void onPause() {
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.TIRAMISU) getWindow().addFlags(WindowManager.LayoutParams.FLAG_SECURE);
        super.onPause();
    }

    @Override
    public void onResume() {
        super.onResume();
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.TIRAMISU) getWindow().clearFlags(WindowManager.LayoutParams.FLAG_SECURE);
    }
}
