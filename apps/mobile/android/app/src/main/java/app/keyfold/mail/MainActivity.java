package app.keyfold.mail;

import android.content.Intent;
import android.os.Build;
import android.os.Bundle;
import android.view.WindowManager;
import com.getcapacitor.BridgeActivity;

/**
 * The only screen: Capacitor's activity with two additions that no plugin offers. It converts
 * content that other apps share into a URL (SharedLetter), and it hides the mailbox in the list of
 * recent apps.
 */
public class MainActivity extends BridgeActivity {

    @Override
    protected void onCreate(Bundle savedInstanceState) {
        // An activity that Android restores, or that the user opens from the list of recent apps,
        // has its old intent.
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

    // Before Android 13, only a secure window is hidden in that list, so the flag is set on
    // leaving.
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
